/**
 * `npm run gen`: writes everything that is written from something else: contract/gen from contract/proto, the pages of
 * docs/reference from the code, and test/golden/folded.json from the golden events.
 */
import { globSync } from 'node:fs'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import { generateContract } from './generate-contract.ts'
import { type GeneratedFile, writeGenerated } from './generated-file.ts'
import { foldedFile, foldGoldenEvents, readFoldedKinds, unversionedChanges } from './golden-states.ts'

async function writePage(file: string): Promise<void> {
  const { page }: { page: GeneratedFile } = await import(`./${file}`)
  writeGenerated(page)
}

async function writeGolden(): Promise<void> {
  const { kinds } = await import('../src/modules.ts')
  const folded = foldGoldenEvents(kinds)
  const unversioned = unversionedChanges(readFoldedKinds(), folded)
  if (unversioned.length > 0) throw new Error(unversioned.join('\n'))
  writeGenerated(foldedFile(folded))
}

generateContract(fileURLToPath(new URL('../contract/gen', import.meta.url)))

// The code that these read may not fit the new contract yet: then the contract is written, and the rest says why it is not.
const rest = [
  ...globSync('*-reference.ts', { cwd: import.meta.dirname })
    .sort()
    .map((file) => ({ name: basename(file, '.ts'), write: () => writePage(file) })),
  { name: 'golden states', write: writeGolden },
]
for (const { name, write } of rest) {
  await write().catch((error: Error) => {
    console.error(`${name}: ${error.message}`)
    process.exitCode = 1
  })
}
