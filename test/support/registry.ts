/** A registry of npm on this machine, with packages of a folder: what they need from others comes from npm itself. */
import { createHash } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { unpack } from '../../tools/release/archive.ts'

interface Manifest {
  readonly name: string
  readonly version: string
}

const UPSTREAM = 'https://registry.npmjs.org'

export interface Registry {
  readonly url: string
  close(): Promise<void>
}

/** Serves the `.tgz` files of a folder. */
export async function startRegistry(folder: string): Promise<Registry> {
  const packages = new Map<string, { readonly manifest: Manifest; readonly bytes: Buffer }>()
  for (const file of globSync('*.tgz', { cwd: folder })) {
    const bytes = readFileSync(join(folder, file))
    const manifest = unpack(bytes).find(({ name }) => name === 'package/package.json')
    if (manifest === undefined) continue
    const read = JSON.parse(Buffer.from(manifest.content).toString()) as Manifest
    packages.set(read.name, { manifest: read, bytes })
  }
  const server = createServer(async (request, response) => {
    const path = decodeURIComponent((request.url ?? '/').slice(1))
    const [name = '', file] = path.split('/-/')
    const found = packages.get(name)
    if (found === undefined) {
      const answer = await fetch(`${UPSTREAM}/${request.url?.slice(1)}`, {
        headers: { accept: request.headers.accept ?? '*/*' },
      })
      response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? 'application/json' })
      return response.end(Buffer.from(await answer.arrayBuffer()))
    }
    if (file !== undefined) return response.end(found.bytes)
    const { version } = found.manifest
    const integrity = `sha512-${createHash('sha512').update(found.bytes).digest('base64')}`
    const dist = { tarball: `${url}/${name}/-/${version}.tgz`, integrity }
    const versions = { [version]: { ...found.manifest, dist } }
    return response.end(JSON.stringify({ name, 'dist-tags': { latest: version }, versions }))
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
