/** What `npm pack` runs first: the server as JavaScript, in `dist/server`. */
import { join } from 'node:path'
import { buildServer, root } from './build-server.ts'

await buildServer({
  folder: join(root, 'dist', 'server'),
  entries: { main: 'src/cli/main.js', 'warm-cache': 'tools/warm-cache.ts' },
  includesPackages: false,
})
