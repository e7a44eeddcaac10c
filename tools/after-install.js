/**
 * What `npm ci` and an installation of the package run at the end: they compile the server once. A plain script, because
 * the package has no TypeScript.
 */
import { existsSync } from 'node:fs'

const source = new URL('./warm-cache.ts', import.meta.url)
const built = new URL('../dist/server/warm-cache.js', import.meta.url)
await import(existsSync(source) ? source.href : built.href)
