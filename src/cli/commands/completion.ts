import { Argument, Command, type Option } from 'commander'

const EXAMPLES = `
Examples:
  source <(drover completion bash)                          this shell
  drover completion bash >> ~/.bash_completion              every bash
  drover completion zsh > "\${fpath[1]}/_drover"             every zsh`

/** `program` is called when the command runs, after every other command has been added. */
export function completionCommand(program: () => Command): Command {
  return new Command('completion')
    .description('Print a shell script that completes commands with Tab.')
    .addArgument(new Argument('<shell>').choices(['bash', 'zsh']))
    .addHelpText('after', EXAMPLES)
    .action((shell: 'bash' | 'zsh') => {
      process.stdout.write(SCRIPTS[shell](listCompletions(program())))
    })
}

/** `delivery get` → the words that may follow it. */
type CompletionsByPath = readonly (readonly [path: string, completions: readonly string[]])[]

function listCompletions(command: Command, path = ''): CompletionsByPath {
  const inner = command.commands as Command[]
  const options = command.options.flatMap(({ long }: Option) => long ?? [])
  const completions = [...inner.map((one) => one.name()), ...options, '--help']
  return [
    [path, completions],
    ...inner.flatMap((one) => listCompletions(one, path === '' ? one.name() : `${path} ${one.name()}`)),
  ]
}

const formatCases = (completions: CompletionsByPath): string =>
  completions.map(([path, names]) => `    ('${path}') words='${names.join(' ')}' ;;`).join('\n')

/** The path is every word before the current one that is a command; options and their values are skipped. */
const SCRIPTS: Record<'bash' | 'zsh', (completions: CompletionsByPath) => string> = {
  bash: (completions) => `# drover: completion for bash
_drover() {
  local current="\${COMP_WORDS[COMP_CWORD]}" path='' words='' word candidate
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    candidate="\${path:+$path }$word"
    case "$candidate" in
${formatPaths(completions)}
    esac
  done
  case "$path" in
${formatCases(completions)}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
  # What is no word of ours may be a file.
  [ \${#COMPREPLY[@]} -gt 0 ] || COMPREPLY=($(compgen -f -- "$current"))
}
complete -o filenames -F _drover drover
`,
  zsh: (completions) => `#compdef drover
# drover: completion for zsh
_drover() {
  local path_of='' choices='' word candidate
  for word in "\${(@)__words[2,__current-1]}"; do
    candidate="\${path_of:+$path_of }$word"
    case "$candidate" in
${formatPaths(completions).replaceAll('path=', 'path_of=')}
    esac
  done
  case "$path_of" in
${formatCases(completions).replaceAll('words=', 'choices=')}
  esac
  compadd -- \${=choices} || _files
}
_drover_entry() {
  local -a __words=("\${words[@]}")
  local __current=$CURRENT
  _drover
}
compdef _drover_entry drover
# Loaded from fpath, this file is the body of the function for the first Tab.
[ "\${funcstack[1]}" = _drover ] && _drover_entry "$@"
`,
}

function formatPaths(completions: CompletionsByPath): string {
  const paths = completions.flatMap(([path]) => (path === '' ? [] : `'${path}'`))
  return `      (${paths.join('|')}) path="$candidate" ;;`
}
