/** What the command is asked: by flags, by the project, or by at most four questions. */
import { createInterface } from 'node:readline/promises'
import { parseArgs } from 'node:util'
import { FRAMEWORK_NAMES, FRAMEWORKS, type FrameworkName } from './frameworks/index.ts'
import { EXIT, meant, Problem } from './problem.ts'

export interface Given {
  readonly framework: FrameworkName
  readonly name: string
  /** Of Signet. */
  readonly url: string
  /** Of the app. */
  readonly address: string
}

export interface Found {
  readonly framework: FrameworkName | undefined
  readonly name: string
}

const USUAL_SERVER = 'http://localhost:8080'

const OPTIONS = {
  framework: { type: 'string' },
  name: { type: 'string' },
  url: { type: 'string' },
  address: { type: 'string' },
  dir: { type: 'string', default: '.' },
  start: { type: 'boolean', default: false },
  yes: { type: 'boolean', short: 'y', default: false },
  'dry-run': { type: 'boolean', default: false },
  json: { type: 'boolean', default: false },
  help: { type: 'boolean', short: 'h', default: false },
} as const

export const USAGE = `Registers the app in this folder at Signet, and writes its settings and the code to sign in.

  --framework <name>   ${FRAMEWORK_NAMES.join(', ')}
  --name <name>        of the application (default: the name of the project)
  --url <address>      of Signet (default: http://localhost:8080)
  --start              run a Signet for this folder, on this machine alone (signet stop ends it)
  --address <address>  where the app runs while you develop (default: that of the framework)
  --dir <folder>       of the project (default: this one)
  -y, --yes            answer all questions with their default
  --dry-run            say what would be done
  --json               print one line of JSON

The token of an administrator is read from SIGNET_TOKEN, or from data/admin.pat of a Signet on this machine.`

/** The flags; throws for one that does not exist. */
export function readFlags(words: readonly string[]) {
  try {
    return parseArgs({ args: [...words], options: OPTIONS, strict: true, allowPositionals: false }).values
  } catch (error) {
    const unknown = /'(--?[\w-]+)'/.exec((error as Error).message)?.[1]
    const isUnknown = (error as { readonly code?: string }).code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION'
    if (!isUnknown || unknown === undefined) throw new Problem((error as Error).message, EXIT.wrong)
    if (unknown === '--token')
      throw new Problem(
        'A token is no flag, because other users of the machine could read it: set SIGNET_TOKEN.',
        EXIT.wrong,
      )
    const names = Object.keys(OPTIONS).map((name) => `--${name}`)
    throw new Problem(`${unknown} is no option. ${meant(unknown, names)}`, EXIT.wrong)
  }
}

export type Flags = ReturnType<typeof readFlags>

function frameworkOf(given: string): FrameworkName {
  const found = FRAMEWORK_NAMES.find((name) => name === given)
  if (found === undefined)
    throw new Problem(`${given} is no framework of the list. ${meant(given, FRAMEWORK_NAMES)}`, EXIT.wrong)
  return found
}

/** An address that a secret may be sent to, or that browsers come from. */
export function addressOf(flag: string, given: string): string {
  const url = URL.canParse(given) ? new URL(given) : undefined
  const isLocal = url?.protocol === 'http:' && /^(localhost|127(\.\d+){3}|\[::1\])$/.test(url.hostname)
  if (url === undefined || (url.protocol !== 'https:' && !isLocal))
    throw new Problem(`${flag}: ${given} must be an https address, or an http address of this machine.`, EXIT.wrong)
  if (url.pathname !== '/' || url.search + url.hash + url.username + url.password !== '')
    throw new Problem(`${flag}: ${given} must be an address without path, query and user.`, EXIT.wrong)
  return url.origin
}

/** The answers: of flags, else of questions, else (with --yes) the defaults. */
export async function askFor(flags: Flags, found: Found, terminal: { readonly isTTY: boolean }): Promise<Given> {
  const lines = terminal.isTTY && !flags.yes && !flags.json ? createInterface(process.stdin, process.stderr) : undefined
  const answer = async (flag: string, question: string, given: string | undefined, usual: string | undefined) => {
    if (given !== undefined) return given
    if (flags.yes && usual !== undefined) return usual
    if (lines === undefined) throw new Problem(`--${flag} is missing: ${question}`, EXIT.wrong)
    const shown = usual === undefined ? '' : ` (${usual})`
    return (await lines.question(`${question}${shown} `)).trim() || usual || ''
  }
  try {
    const list = `Which framework: ${FRAMEWORK_NAMES.join(', ')}?`
    const framework = frameworkOf(await answer('framework', list, flags.framework, found.framework))
    const name = (await answer('name', 'What is the app called?', flags.name, found.name)).trim()
    if (name === '' || /\p{Cc}/u.test(name) || name.length > 200)
      throw new Problem('--name must be 1 to 200 characters in one line.', EXIT.wrong)
    // The server that is started has an address of its own.
    const server = flags.start ? USUAL_SERVER : flags.url
    const url = addressOf('--url', await answer('url', 'Where does Signet run?', server, USUAL_SERVER))
    const usual = FRAMEWORKS[framework].address || 'http://localhost:3000'
    const address = addressOf('--address', await answer('address', 'Where will the app run?', flags.address, usual))
    return { framework, name, url, address }
  } finally {
    lines?.close()
  }
}
