# Completion of narrows for fish: the program says itself what may come next.
function __narrows_complete
    set -l typed (commandline -opc)
    set -l begun (commandline -ct)
    set -l lines ($typed[1] __complete $typed[2..-1] "$begun" 2>/dev/null)
    test "$lines[1]" = files; and __fish_complete_path "$begun"
    printf '%s\n' $lines[2..-1]
end
complete -c narrows -f -a '(__narrows_complete)'
