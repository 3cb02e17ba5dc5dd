# Completion of narrows for bash: the program says itself what may come next.
_narrows() {
    local -a typed=() found=()
    local i word begun kind line
    # bash splits words at '=' and ':', where narrows does not.
    for ((i = 1; i <= COMP_CWORD; i++)); do
        word=${COMP_WORDS[i]}
        if ((${#typed[@]} > 0)) && [[ $word == [=:]* || ${COMP_WORDS[i - 1]} == *[=:] ]]; then
            typed[${#typed[@]} - 1]+=$word
        else
            typed+=("$word")
        fi
    done
    begun=${typed[${#typed[@]} - 1]}
    COMPREPLY=()
    {
        read -r kind
        while IFS= read -r line; do found+=("${line%%$'\t'*}"); done
    } < <("$1" __complete "${typed[@]}" 2>/dev/null)
    # Only what follows the last of these characters is replaced.
    for line in "${found[@]}"; do COMPREPLY+=("${line#"${begun%"${begun##*[=:]}"}"}"); done
    if [[ ${#found[@]} -eq 1 && ${found[0]} == *[=:] ]]; then compopt -o nospace 2>/dev/null; fi
    if [[ $kind == files ]]; then
        compopt -o filenames 2>/dev/null
        while IFS= read -r line; do COMPREPLY+=("$line"); done < <(compgen -f -- "${begun##*[=:]}")
    fi
}
complete -F _narrows narrows
