/** Writes which packages the build contains to `packages.json`, for the licenses that are delivered with the server. */
import type { Plugin } from 'vite'

/** The folder of the package that a module belongs to, from the outermost `node_modules` on; undefined for our own files. */
function packageOf(module: string): string | undefined {
  return /\/(node_modules\/(?:.*\/node_modules\/)?(?:@[^/]+\/)?[^/]+)\//.exec(module)?.[1]
}

/** A plugin that notes the packages of all modules that are part of a chunk. */
export function packageList(): Plugin {
  return {
    name: 'signet:packages',
    apply: 'build',
    generateBundle(_, bundle) {
      const folders = new Set<string>()
      for (const output of Object.values(bundle)) {
        if (output.type !== 'chunk') continue
        for (const module of output.moduleIds) {
          const folder = packageOf(module)
          if (folder !== undefined) folders.add(folder)
        }
      }
      this.emitFile({ type: 'asset', fileName: 'packages.json', source: JSON.stringify([...folders].sort()) })
    },
  }
}
