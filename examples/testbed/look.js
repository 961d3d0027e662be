// Looks at the testbed's page as a person would, in a headless Chromium.
//
//   node look.js FOLDER HASHES STEPS PICTURES
//
// FOLDER holds index.html, HASHES the native hashes ("scene 0x..." in each line). The page must load,
// step, show a picture that is not blank and that moves, open an OBJ file, say nothing on the console,
// and come to the same hashes. Drives chromedriver by plain HTTP.
'use strict';
const child = require('child_process');
const fs = require('fs');
const http = require('http');
const os = require('os');
const path = require('path');
const zlib = require('zlib');

const [folder, hashes, stepsText, pictures] = process.argv.slice(2);
const steps = Number(stepsText);
const types = { '.html': 'text/html', '.js': 'text/javascript', '.wasm': 'application/wasm' };

function wait(milliseconds) {
  return new Promise(done => setTimeout(done, milliseconds));
}

function check(right, what) {
  if (!right) throw new Error(what);
}

function serve() {
  const server = http.createServer((request, answer) => {
    const name = path.join(folder, path.normalize(new URL(request.url, 'http://x').pathname));
    fs.readFile(name, (error, bytes) => {
      answer.writeHead(error ? 404 : 200, { 'Content-Type': types[path.extname(name)] || 'text/plain' });
      answer.end(error ? 'none' : bytes);
    });
  });
  return new Promise(done => server.listen(0, '127.0.0.1', () => done(server)));
}

// One call of the WebDriver protocol; the value of the answer.
function call(port, method, where, body) {
  const text = body === undefined ? undefined : JSON.stringify(body);
  return new Promise((done, fail) => {
    const request = http.request({ host: '127.0.0.1', port, method, path: where, timeout: 600000,
      headers: { 'Content-Type': 'application/json', 'Content-Length': text ? Buffer.byteLength(text) : 0 } },
      answer => {
        const parts = [];
        answer.on('data', part => parts.push(part));
        answer.on('end', () => {
          const value = JSON.parse(Buffer.concat(parts).toString()).value;
          if (value && value.error) fail(new Error(`${value.error}: ${value.message}`));
          else done(value);
        });
      });
    request.on('error', fail);
    request.end(text);
  });
}

// Red, green and blue of each pixel of a PNG of 8 bits without interlacing.
function pixelsOf(png) {
  const width = png.readUInt32BE(16), height = png.readUInt32BE(20), wide = png[25] === 6 ? 4 : 3;
  const parts = [];
  for (let at = 8; at < png.length;) {
    const size = png.readUInt32BE(at);
    if (png.toString('latin1', at + 4, at + 8) === 'IDAT') parts.push(png.subarray(at + 8, at + 8 + size));
    at += size + 12;
  }
  const raw = zlib.inflateSync(Buffer.concat(parts)), row = width * wide;
  const out = Buffer.alloc(height * row);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < row; x++) {
      const left = x >= wide ? out[y * row + x - wide] : 0, up = y > 0 ? out[(y - 1) * row + x] : 0;
      const corner = x >= wide && y > 0 ? out[(y - 1) * row + x - wide] : 0;
      const guess = left + up - corner;
      const dl = Math.abs(guess - left), du = Math.abs(guess - up), dc = Math.abs(guess - corner);
      const paeth = dl <= du && dl <= dc ? left : du <= dc ? up : corner;
      const before = [0, left, up, (left + up) >> 1, paeth][raw[y * (row + 1)]];
      out[y * row + x] = raw[y * (row + 1) + 1 + x] + before;
    }
  return { width, height, wide, out };
}

function colorsOf(picture) {
  const seen = new Set();
  for (let i = 0; i + 2 < picture.out.length; i += picture.wide)
    seen.add((picture.out[i] << 16) | (picture.out[i + 1] << 8) | picture.out[i + 2]);
  return seen.size;
}

function differing(a, b) {
  let count = 0;
  for (let i = 0; i + 2 < a.out.length; i += a.wide)
    if (Math.abs(a.out[i] - b.out[i]) + Math.abs(a.out[i + 1] - b.out[i + 1]) > 24) count++;
  return count;
}

async function look(port, page) {
  const profile = fs.mkdtempSync(path.join(os.tmpdir(), 'testbed-'));
  const { sessionId } = await call(port, 'POST', '/session', { capabilities: { alwaysMatch: {
    'goog:loggingPrefs': { browser: 'ALL' }, timeouts: { script: 600000 },
    'goog:chromeOptions': { binary: '/usr/bin/chromium', args: ['--headless=new', '--no-sandbox',
      '--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--disable-quic',
      '--no-first-run', '--disable-background-networking', '--disable-component-update',
      '--disable-sync', '--window-size=1000,700', `--user-data-dir=${profile}`] } } } });
  const session = `/session/${sessionId}`;
  const run = (script, ...args) => call(port, 'POST', `${session}/execute/sync`, { script, args });
  const stepsMade = () => run("return Module.calledRun ? Module.ccall('testbed_steps', 'number') : -1");
  const state = () => run("return Module.ccall('testbed_state', 'string')");
  const reach = async (least, what) => {
    const end = Date.now() + 120000;
    while (await stepsMade() < least) {
      check(Date.now() < end, what);
      await wait(100);
    }
  };
  const shoot = async name => {
    const png = Buffer.from(await call(port, 'GET', `${session}/screenshot`), 'base64');
    fs.writeFileSync(path.join(pictures, name), png);
    return pixelsOf(png);
  };
  try {
    await call(port, 'POST', `${session}/url`, { url: `${page}/index.html#hulls` });
    await reach(15, 'the page does not step');
    const first = await shoot('page_1.png');
    await reach(await stepsMade() + 30, 'the page stops stepping');
    const second = await shoot('page_2.png');
    check(colorsOf(first) > 500, `a blank picture: ${colorsOf(first)} colours`);
    check(differing(first, second) > 200, 'the picture does not move');
    console.log(`web: loads, steps, ${colorsOf(first)} colours, ${differing(first, second)} pixels moved`);

    // Keys reach it: P stops time, O makes one step.
    const type = key => call(port, 'POST', `${session}/actions`, { actions: [{ type: 'key', id: 'keys',
      actions: [{ type: 'keyDown', value: key }, { type: 'pause', duration: 80 }, { type: 'keyUp', value: key }] }] });
    await type('p');
    let paused = -1;
    for (let tries = 0; tries < 60 && await stepsMade() !== paused; tries++) {
      paused = await stepsMade();
      await wait(1000);
    }
    check(await stepsMade() === paused, 'P does not pause');
    await type('o');
    await reach(paused + 1, 'O does not make a step');
    await wait(1000);
    check(await stepsMade() === paused + 1, 'O makes more than one step');
    await type('p');

    // The mouse reaches it: what sleeps wakes when it is pulled.
    await run("location.hash = '#pyramid'");
    await wait(300);
    await reach(60, 'the second scene does not step');
    const asleep = await state();
    await reach(await stepsMade() + 5, 'a sleeping scene does not step');
    check(await state() === asleep, 'the pyramid does not sleep');
    const middle = await run('return [innerWidth / 2, innerHeight / 2].map(Math.floor)');
    await call(port, 'POST', `${session}/actions`, { actions: [{ type: 'pointer', id: 'mouse', actions: [
      { type: 'pointerMove', duration: 50, x: middle[0], y: middle[1] }, { type: 'pause', duration: 300 },
      { type: 'pointerDown', button: 0 }, { type: 'pause', duration: 300 },
      { type: 'pointerMove', duration: 600, x: middle[0] + 120, y: middle[1] - 80 },
      { type: 'pause', duration: 600 }] }] });
    await shoot('page_3.png');
    await call(port, 'DELETE', `${session}/actions`);
    check(await state() !== asleep, 'a body that is pulled does not move');

    await run("load([new File(['v 0 0 0\\nv 1 0 0\\nv 0 1 0\\nv 0 0 1\\n'], 'tip.obj')])");
    await wait(500);
    check(await run("return Module.FS.analyzePath('/tip.obj').exists"), 'a file was not taken');

    let wrong = 0;
    for (const line of fs.readFileSync(hashes, 'utf8').trim().split('\n')) {
      const [scene, native] = line.split(' ');
      const here = await run("return Module.ccall('testbed_hash', 'string', ['string', 'number'], arguments)",
        scene, steps);
      wrong += here !== native;
      console.log(`web: ${scene.padEnd(10)} ${here} after ${steps} steps, native ${native}`);
    }
    check(wrong === 0, `${wrong} scenes come to another state in the browser`);
    const log = await call(port, 'POST', `${session}/se/log`, { type: 'browser' });
    const errors = log.filter(entry => entry.level === 'SEVERE');
    check(errors.length === 0, `the console says: ${errors.map(e => e.message).join('\n')}`);
  } finally {
    await call(port, 'DELETE', session).catch(() => {});
    fs.rmSync(profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  }
}

async function main() {
  const server = await serve();
  const driver = child.spawn('chromedriver', ['--port=0'], { stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    const port = await new Promise((done, fail) => {
      let said = '';
      driver.on('exit', () => fail(new Error('chromedriver does not start')));
      driver.stdout.on('data', part => {
        said += part;
        const found = /started successfully on port (\d+)/.exec(said);
        if (found) done(Number(found[1]));
      });
    });
    await look(port, `http://127.0.0.1:${server.address().port}`);
    console.log('web: the page is in order');
  } catch (error) {
    console.log(`web: FAILED: ${error.message}`);
    process.exitCode = 1;
  } finally {
    driver.kill();
    server.close();
    server.closeAllConnections();
  }
}

main();
