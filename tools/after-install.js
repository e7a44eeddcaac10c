/** What `npm ci` runs at the end: it compiles the server once. A plain script, because npm may run it with a Node that cannot read TypeScript. */
await import('./warm-cache.ts')
