/** How Vite builds the console: one chunk for each page, compressed files beside them, and a limit on the first load. */
import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { compressed } from './build/compressed.ts'
import { packageList } from './build/packages.ts'
import { sizeLimit } from './build/size-limit.ts'

const folder = fileURLToPath(new URL('.', import.meta.url))

/** Where `vite dev` finds a server: `SIGNET_URL=http://localhost:8080 npx vite console`. */
const server = process.env.SIGNET_URL ?? 'http://localhost:8080'

// biome-ignore lint/style/noDefaultExport: Vite reads the default export.
export default defineConfig({
  root: folder,
  base: '/ui/console/',
  // The sizes are printed by the plugin below.
  logLevel: 'warn',
  // What the API explorer's framework leaves out of a build for production.
  define: {
    __VUE_OPTIONS_API__: 'true',
    __VUE_PROD_DEVTOOLS__: 'false',
    __VUE_PROD_HYDRATION_MISMATCH_DETAILS__: 'false',
  },
  // The server puts a new value here with each response; see src/web/console.ts.
  html: { cspNonce: '__NONCE__' },
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    target: 'es2023',
    // Images within scripts would need data: in more places of the policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    // The largest one is the API explorer.
    chunkSizeWarningLimit: 2500,
    // Compressing takes longer than bundling, and that is fine.
    rolldownOptions: {
      checks: { pluginTimings: false },
      // The console, and the API explorer at /ui/api.
      input: { index: `${folder}index.html`, api: `${folder}api.html` },
    },
  },
  server: {
    proxy: { '^/(?!ui/console/)': server, '/ui/console/environment.json': server },
    strictPort: true,
  },
  plugins: [react(), packageList(), compressed(), sizeLimit({ gzipKilobytes: 300 })],
})
