/** Writes `.br` and `.gz` files beside the assets, so that the server never compresses while it answers. */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { Plugin } from 'vite'

const TEXT = /\.(js|css|svg|html)$/

/** A plugin that compresses each file of text once it is written. */
export function compressed(): Plugin {
  return {
    name: 'signet:compressed',
    apply: 'build',
    writeBundle: {
      sequential: true,
      async handler({ dir = '' }, bundle) {
        const files = Object.keys(bundle).filter((name) => TEXT.test(name) && !name.endsWith('.html'))
        await Promise.all(files.map((name) => compress(join(dir, name))))
      },
    },
  }
}

/** Writes the `.gz` file beside a file. */
export async function writeGzip(file: string, content?: Uint8Array): Promise<void> {
  await writeFile(`${file}.gz`, await promisify(gzip)(content ?? (await readFile(file)), { level: 9 }))
}

async function compress(file: string): Promise<void> {
  const content = await readFile(file)
  const size = { [constants.BROTLI_PARAM_SIZE_HINT]: content.length }
  const quality = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT }
  const [small] = await Promise.all([
    promisify(brotliCompress)(content, { params: { ...quality, ...size } }),
    writeGzip(file, content),
  ])
  await writeFile(`${file}.br`, small)
}
