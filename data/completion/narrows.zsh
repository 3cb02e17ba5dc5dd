#compdef narrows
# Completion of narrows for zsh: the program says itself what may come next.
_narrows() {
    local -a lines found glued
    local line word
    lines=("${(@f)$("${words[1]}" __complete "${(@Q)words[2,CURRENT-1]}" "${(Q)PREFIX}" 2>/dev/null)}")
    # Only what follows the last '=' is replaced.
    compset -P '*='
    for line in "${(@)lines[2,-1]}"; do
        word=${line%%$'\t'*}
        [[ $word == *[=:] ]] && glued=(-S '')  # more belongs to the same word
        [[ -n $IPREFIX ]] && word=${word#"${(Q)IPREFIX}"}
        if [[ $line == *$'\t'* ]]; then
            found+=("${word//:/\\:}:${line#*$'\t'}")
        elif [[ -n $word ]]; then
            found+=("${word//:/\\:}")
        fi
    done
    (( ${#found} )) && _describe narrows found "${(@)glued}"
    [[ ${lines[1]} == files ]] && _files
}
if [[ ${funcstack[1]} == _narrows ]]; then
    _narrows "$@"
else
    compdef _narrows narrows
fi
