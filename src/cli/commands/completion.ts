import { Argument, Command, type Option } from 'commander'

const EXAMPLES = `
Examples:
  source <(drover completion bash)                          this shell
  drover completion bash >> ~/.bash_completion              every bash
  drover completion zsh > "\${fpath[1]}/_drover"             every zsh`

/** `program` is called when the command runs, after every other command has been added. */
export function completionCommand(program: () => Command): Command {
  return new Command('completion')
    .description('Print a script that completes names with Tab.')
    .addArgument(new Argument('<shell>').choices(['bash', 'zsh']))
    .addHelpText('after', EXAMPLES)
    .action((shell: 'bash' | 'zsh') => {
      process.stdout.write(SCRIPTS[shell](wordsByPath(program())))
    })
}

/** `delivery get` → the words that may follow it. */
type WordsByPath = readonly (readonly [path: string, words: readonly string[]])[]

function wordsByPath(command: Command, path = ''): WordsByPath {
  const inner = command.commands as Command[]
  const options = command.options.flatMap(({ long }: Option) => long ?? [])
  const words = [...inner.map((one) => one.name()), ...options, '--help']
  return [
    [path, words],
    ...inner.flatMap((one) => wordsByPath(one, path === '' ? one.name() : `${path} ${one.name()}`)),
  ]
}

const casesOf = (words: WordsByPath): string =>
  words.map(([path, names]) => `    ('${path}') words='${names.join(' ')}' ;;`).join('\n')

/** The path is every word before the current one that is a command; options and their values are skipped. */
const SCRIPTS: Record<'bash' | 'zsh', (words: WordsByPath) => string> = {
  bash: (words) => `# drover: completion for bash
_drover() {
  local current="\${COMP_WORDS[COMP_CWORD]}" path='' words='' word candidate
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    candidate="\${path:+$path }$word"
    case "$candidate" in
${pathsOf(words)}
    esac
  done
  case "$path" in
${casesOf(words)}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
  # What is no word of ours may be a file.
  [ \${#COMPREPLY[@]} -gt 0 ] || COMPREPLY=($(compgen -f -- "$current"))
}
complete -o filenames -F _drover drover
`,
  zsh: (words) => `#compdef drover
# drover: completion for zsh
_drover() {
  local path_of='' words='' word candidate
  for word in "\${(@)__words[2,__current-1]}"; do
    candidate="\${path_of:+$path_of }$word"
    case "$candidate" in
${pathsOf(words).replaceAll('path=', 'path_of=')}
    esac
  done
  case "$path_of" in
${casesOf(words)}
  esac
  compadd -- \${=words} || _files
}
_drover_entry() {
  local -a __words=("\${words[@]}")
  local __current=$CURRENT
  _drover
}
compdef _drover_entry drover
`,
}

function pathsOf(words: WordsByPath): string {
  const paths = words.flatMap(([path]) => (path === '' ? [] : `'${path}'`))
  return `      (${paths.join('|')}) path="$candidate" ;;`
}
