/** Prints what a browser loads at first and with each page of the console, and fails the build when the first load is too large. */
import { gzipSync } from 'node:zlib'
import type { Plugin, Rolldown } from 'vite'

type Bundle = Rolldown.OutputBundle

/** The entry, everything it imports statically, and their styles. */
function initialFiles(bundle: Bundle): ReadonlySet<string> {
  const files = new Set<string>(['index.html'])
  const visit = (name: string): void => {
    const chunk = bundle[name]
    if (chunk?.type !== 'chunk' || files.has(name)) return
    files.add(name)
    for (const style of chunk.viteMetadata?.importedCss ?? []) files.add(style)
    for (const next of chunk.imports) visit(next)
  }
  for (const [name, chunk] of Object.entries(bundle))
    if (chunk.type === 'chunk' && chunk.isEntry && chunk.name === 'index') visit(name)
  return files
}

function gzipSize(bundle: Bundle, name: string): number {
  const output = bundle[name]
  if (output === undefined) return 0
  return gzipSync(output.type === 'chunk' ? output.code : output.source).length
}

function kilobytes(bytes: number): string {
  return `${(bytes / 1000).toFixed(1)} kB`.padStart(10)
}

/** A plugin that measures the bundle, compressed with gzip. */
export function sizeLimit({ gzipKilobytes }: { readonly gzipKilobytes: number }): Plugin {
  return {
    name: 'signet:size-limit',
    apply: 'build',
    writeBundle: {
      order: 'post',
      sequential: true,
      handler(_, bundle) {
        const initial = initialFiles(bundle)
        const sizes = Object.keys(bundle).map((name) => ({ name, bytes: gzipSize(bundle, name) }))
        const first = sizes.filter(({ name }) => initial.has(name))
        const rest = sizes.filter(({ name }) => !initial.has(name)).sort((one, other) => other.bytes - one.bytes)
        const total = first.reduce((sum, { bytes }) => sum + bytes, 0)
        const line = ({ name, bytes }: { name: string; bytes: number }) => `${kilobytes(bytes)}  ${name}`
        console.log(['\nOn demand (gzip):', ...rest.slice(0, 25).map(line)].join('\n'))
        console.log(['First load (gzip):', ...first.map(line), `${kilobytes(total)}  in total`].join('\n'))
        if (total > gzipKilobytes * 1000) {
          this.error(`The first load has ${kilobytes(total).trim()} gzip, more than ${gzipKilobytes} kB.`)
        }
      },
    },
  }
}
