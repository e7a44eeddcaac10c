/**
 * `release.ts publish`: puts the packages of a verified release into the registry of npm. Before the first one, it looks
 * whether each name belongs to our account: what is published under a name of somebody else would be run as theirs.
 */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { PACKAGES } from '../build-packages.ts'
import { tarballOf, version } from './build.ts'
import { NAMES, PLATFORMS, platformPackageOf } from './names.ts'
import { checkComplete, verifyRelease } from './verify.ts'

export class NotPublished extends Error {}

interface Known {
  readonly maintainers?: readonly { readonly name: string }[]
  readonly versions?: Readonly<Record<string, unknown>>
}

async function look(registry: string, name: string): Promise<Known | undefined> {
  const answer = await fetch(`${registry}/${name.replace('/', '%2f')}`, { redirect: 'error' })
  if (answer.status === 404) return undefined
  if (!answer.ok) throw new NotPublished(`${registry} answers ${answer.status} about ${name}`)
  return (await answer.json()) as Known
}

/** The names that are not ours, each with the reason. */
export async function namesOfOthers(registry: string, names: readonly string[]): Promise<readonly string[]> {
  const { account } = NAMES.npm
  const found = await Promise.all(names.map(async (name) => [name, await look(registry, name)] as const))
  return found.flatMap(([name, known]) => {
    if (known === undefined) return [`${name} does not exist: RELEASING.md says how a name is taken for the first time`]
    const owners = known.maintainers?.map((one) => one.name) ?? []
    return owners.includes(account) ? [] : [`${name} belongs to ${owners.join(', ') || 'nobody'}, not to ${account}`]
  })
}

/** npm 11.5.1 is the first one that publishes without a token. */
function requireNpm(): void {
  const { stdout } = spawnSync('npm', ['--version'], { encoding: 'utf8' })
  const [major = 0, minor = 0, patch = 0] = stdout.split('.').map(Number)
  const isEnough = major > 11 || (major === 11 && (minor > 5 || (minor === 5 && patch >= 1)))
  if (!isEnough) throw new NotPublished(`npm must be 11.5.1 or later, and is ${stdout.trim()}`)
}

/** Trusted publishing is for the workflow of one repository; a fork has its own name, and its own tags. */
function requireOurRepository(env: NodeJS.ProcessEnv): void {
  const ours = new URL(NAMES.repository).pathname.slice(1)
  if (env.GITHUB_REPOSITORY !== ours)
    throw new NotPublished(
      `releases are published by the workflow of ${ours}, not of ${env.GITHUB_REPOSITORY ?? 'this machine'}`,
    )
  if (env.GITHUB_REF !== `refs/tags/v${version}`)
    throw new NotPublished(`version ${version} is published for the tag v${version}, not for ${env.GITHUB_REF}`)
}

export async function publishRelease(folder: string, isTrial: boolean, env = process.env): Promise<readonly string[]> {
  requireNpm()
  if (!isTrial) requireOurRepository(env)
  checkComplete(folder)
  await verifyRelease(folder)
  const registry = (env.npm_config_registry ?? 'https://registry.npmjs.org').replace(/\/$/, '')
  // What others need comes first: nobody gets a package whose dependencies are not there yet.
  const names = [...PLATFORMS.map(platformPackageOf), ...Object.values(PACKAGES).map(({ name }) => name)]
  const others = await namesOfOthers(registry, names)
  if (others.length > 0) throw new NotPublished(`nothing was published: ${others.join('; ')}`)
  const published: string[] = []
  for (const name of names) {
    // A run that was interrupted is continued.
    if ((await look(registry, name))?.versions?.[version] !== undefined) continue
    published.push(name)
    if (isTrial) continue
    const words = ['publish', join(folder, tarballOf(name)), '--provenance', '--access', 'public']
    const { status } = spawnSync('npm', words, { stdio: 'inherit' })
    if (status !== 0) throw new NotPublished(`npm did not publish ${name}; run it again to continue with it`)
  }
  return published
}
