export const SHELLS = ['bash', 'zsh', 'fish'] as const

export type Shell = (typeof SHELLS)[number]

/** The command that the scripts run, with the words of the line after it. */
export const ASK_COMMAND = '__complete'
/** The line that the scripts get in place of candidates, when the shell is to complete names of files. */
export const FILES_LINE = ':files'

/*
 * Each script hands the words to `meadow __complete`, which answers with a candidate on each line, followed by a tab
 * and its description. The scripts contain only what depends on the shell: how it quotes, and how it shows
 * descriptions.
 */

/**
 * The script for bash 3.2 (macOS) and newer. It shows no descriptions, and bash treats the value after `=` as a
 * separate word.
 */
const BASH = `# bash completion for meadow: eval "$(meadow completion bash)"
_meadow() {
  local current=\${COMP_WORDS[COMP_CWORD]} line value answer index
  local words=()
  COMPREPLY=()
  # The words as they were typed, without the quotes around them.
  for ((index = 1; index <= COMP_CWORD; index++)); do
    value=\${COMP_WORDS[index]}
    case $value in
      \\"*) value=\${value#\\"}; value=\${value%\\"} ;;
      \\'*) value=\${value#\\'}; value=\${value%\\'} ;;
      *) value=\${value//\\\\/} ;;
    esac
    words+=("$value")
  done
  answer=$(meadow ${ASK_COMMAND} -- "\${words[@]}" 2>/dev/null) || return
  if [ "$answer" = "${FILES_LINE}" ]; then
    compopt -o default 2>/dev/null
    return
  fi
  while IFS= read -r line; do
    value=\${line%%$'\\t'*}
    [ -n "$value" ] || continue
    case $current in
      [\\"\\']*) COMPREPLY+=("$value") ;;
      *) COMPREPLY+=("$(printf %q "$value")") ;;
    esac
  done <<< "$answer"
}
complete -F _meadow meadow
`

const ZSH = `#compdef meadow
# zsh completion for meadow: eval "$(meadow completion zsh)", after compinit
_meadow() {
  local answer line value
  local -a values shown
  answer=$(meadow ${ASK_COMMAND} -- "\${(@Q)words[2,CURRENT]}" 2>/dev/null) || return
  if [[ $answer == "${FILES_LINE}" ]]; then
    _files
    return
  fi
  for line in "\${(@f)answer}"; do
    value=\${line%%$'\\t'*}
    [[ -n $value ]] || continue
    values+=("$value")
    if [[ $line == *$'\\t'?* ]]; then shown+=("$value -- \${line#*$'\\t'}"); else shown+=("$value"); fi
  done
  compadd -l -d shown -a values
}
if [[ $zsh_eval_context[-1] == loadautofunc ]]; then _meadow "$@"; else compdef _meadow meadow; fi
`

const FISH = `# fish completion for meadow: meadow completion fish | source
function __meadow_complete
  set -l words (commandline -opc)
  set -l current (commandline -ct | string unescape 2>/dev/null; or commandline -ct)
  set -l answer (meadow ${ASK_COMMAND} -- $words[2..-1] "$current" 2>/dev/null)
  if test "$answer" = "${FILES_LINE}"
    __fish_complete_path "$current"
  else
    printf '%s\\n' $answer
  end
end
complete -c meadow -f -a '(__meadow_complete)'
`

/** The scripts that make each shell complete the command. */
export const COMPLETION_SCRIPTS: Readonly<Record<Shell, string>> = { bash: BASH, zsh: ZSH, fish: FISH }
