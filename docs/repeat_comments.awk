# For Doxygen: declarations that follow one another share the comment above the first one.
# Here each gets a copy of it, and what it reads is what a reader of the header reads.
/^\/\/\// {
    if (!inside) comment = ""
    comment = comment $0 "\n"
    inside = 1
    print
    next
}
/^TRV_API/ { if (!inside && comment != "") printf "%s", comment }
/^TRV_API|^[ \t]/ { inside = 0; print; next }
{ comment = inside && /^(typedef|#define|static)/ ? comment : ""; inside = 0; print }
