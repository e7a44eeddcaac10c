/** Completion of commands and options in a shell, written from the commands themselves. */
import type { Command } from 'commander'

/** The shells that there is a script for. */
export const SHELLS = ['bash', 'zsh', 'fish'] as const

export type Shell = (typeof SHELLS)[number]

/** Something that can be typed next. */
interface Choice {
  readonly word: string
  readonly description: string
}

/** One command and what can follow it; the program itself has an empty path. */
interface Place {
  /** Its words, such as `admin recover`. */
  readonly path: string
  /** Commands, and values of an argument that has a list of them. */
  readonly words: readonly Choice[]
  readonly options: readonly Choice[]
}

function placesOf(command: Command, path: string): readonly Place[] {
  const help = command.createHelp()
  const commands = help.visibleCommands(command).filter((one) => one.name() !== 'help')
  const values = command.registeredArguments.flatMap(({ argChoices = [] }) => argChoices)
  const place = {
    path,
    words: [
      ...commands.map((one) => ({ word: one.name(), description: one.description() })),
      ...values.map((word) => ({ word, description: '' })),
    ],
    options: help
      .visibleOptions(command)
      .flatMap(({ long, description }) => (typeof long === 'string' ? [{ word: long, description }] : [])),
  }
  return [place, ...commands.flatMap((one) => placesOf(one, `${path} ${one.name()}`.trim()))]
}

/** In single quotes, as bash and zsh read them. */
function quote(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`
}

/** Lines of bash and zsh that set `command` to the commands among the words before the cursor. */
function findCommand(places: readonly Place[], words: string): string {
  const known = places
    .filter(({ path }) => path !== '')
    .map(({ path }) => quote(path.includes(' ') ? path : ` ${path}`))
  return `  local command='' word
  for word in ${words}; do
    case "$command $word" in
      ${known.join('|')}) command="\${command:+$command }$word" ;;
    esac
  done`
}

function bashScript(places: readonly Place[]): string {
  const cases = places.map(({ path, words, options }) => {
    const choices = [...words, ...options].map(({ word }) => word).join(' ')
    return `    ${quote(path)}) choices=${quote(choices)} ;;`
  })
  return `# bash completion of signet: source <(signet completion bash)
_signet() {
${findCommand(places, `"\${COMP_WORDS[@]:1:COMP_CWORD-1}"`)}
  local choices=''
  case "$command" in
${cases.join('\n')}
  esac
  COMPREPLY=($(compgen -W "$choices" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _signet signet
`
}

function zshScript(places: readonly Place[]): string {
  const cases = places.map(({ path, words, options }) => {
    const choices = [...words, ...options].map(({ word, description }) => quote(`${word}:${description}`))
    return `    ${quote(path)}) choices=(${choices.join(' ')}) ;;`
  })
  return `#compdef signet
# zsh completion of signet: source <(signet completion zsh)
_signet() {
${findCommand(places, `"\${(@)words[2,CURRENT-1]}"`)}
  local -a choices
  case "$command" in
${cases.join('\n')}
  esac
  _describe signet choices || _files
}
compdef _signet signet
`
}

function fishScript(places: readonly Place[]): string {
  const fishQuote = (text: string) => `'${text.replaceAll(/[\\']/g, String.raw`\$&`)}'`
  const lines = places.flatMap(({ path, words, options }) => {
    const isHere = [
      ...path
        .split(' ')
        .filter((word) => word !== '')
        .map((word) => `__fish_seen_subcommand_from ${word}`),
      ...(words.length > 0 && path !== ''
        ? [`not __fish_seen_subcommand_from ${words.map((one) => one.word).join(' ')}`]
        : []),
    ].join('; and ')
    const condition = `-n ${quote(path === '' ? '__fish_use_subcommand' : isHere)}`
    return [
      ...words.map(
        ({ word, description }) => `complete -c signet ${condition} -f -a ${word} -d ${fishQuote(description)}`,
      ),
      ...options.map(
        ({ word, description }) => `complete -c signet ${condition} -l ${word.slice(2)} -d ${fishQuote(description)}`,
      ),
    ]
  })
  return `# fish completion of signet: signet completion fish | source\n${lines.join('\n')}\n`
}

const SCRIPTS: Readonly<Record<Shell, (places: readonly Place[]) => string>> = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
}

/** The script that makes the shell complete the commands of the program. */
export function completionScript(program: Command, shell: Shell): string {
  return SCRIPTS[shell](placesOf(program, ''))
}
