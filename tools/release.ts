/**
 * `node tools/release.ts build|verify|publish [folder]`: makes a release, checks one, and publishes its packages. RELEASING.md
 * says how they follow each other in .github/workflows/release.yml.
 */
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { root } from './build-server.ts'
import { buildRelease, version } from './release/build.ts'
import { NotPublished, publishRelease } from './release/publish.ts'
import { NotVerified, verifyRelease } from './release/verify.ts'

const USAGE = `node tools/release.ts build [folder] [--gathered] [--node official]
node tools/release.ts verify [folder] [--attested]
node tools/release.ts publish [folder] [--trial]
The folder is dist/release, unless another one is named.`

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    gathered: { type: 'boolean' },
    node: { type: 'string' },
    attested: { type: 'boolean' },
    trial: { type: 'boolean' },
  },
})
const [verb = '', place = 'dist/release'] = positionals
const folder = resolve(root, place)

async function build(): Promise<void> {
  // What is published contains the Node of its makers, and none that others packed again.
  if (values.node === 'official' && /[\\/]node_modules[\\/]/.test(process.execPath))
    throw new NotPublished(`${process.execPath} is not the Node of nodejs.org.`)
  await buildRelease(folder, { gathered: values.gathered === true })
  console.log(`Signet ${version}: ${folder}`)
}

const VERBS: Readonly<Record<string, () => Promise<void>>> = {
  build,
  async verify() {
    await verifyRelease(folder, { attested: values.attested === true })
    console.log(`${folder} is as it was built.`)
  },
  async publish() {
    const names = await publishRelease(folder, values.trial === true)
    console.log(`${values.trial ? 'Would be published' : 'Published'}: ${names.join(', ') || 'nothing, all is there'}`)
  },
}

try {
  const run = VERBS[verb]
  if (run === undefined) {
    console.error(USAGE)
    process.exitCode = 2
  } else await run()
} catch (error) {
  if (!(error instanceof NotVerified || error instanceof NotPublished)) throw error
  console.error(`release: ${error.message}`)
  process.exitCode = 1
}
