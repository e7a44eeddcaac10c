import { CLIENT, type Framework, SERVER } from '../framework.ts'

export const sveltekit: Framework = {
  ...SERVER,
  label: 'SvelteKit',
  needs: 'node',
  detect: { file: 'package.json', names: ['@sveltejs/kit'] },
  address: 'http://localhost:5173',
  callbackPath: '/auth/callback',
  create: ['npx sv create my-app --template minimal --no-types --no-add-ons --no-install', 'cd my-app && npm install'],
  install: 'npm install openid-client jose',
  run: 'npm run dev -- --port {port}',
  files: [
    'src/lib/server/session.js',
    'src/routes/auth/[action]/+server.js',
    'src/routes/+page.server.js',
    'src/routes/+page.svelte',
  ],
  pages: ['src/routes/+page.svelte'],
  settings: { ...CLIENT, APP_URL: '{origin}', SESSION_SECRET: '{random}' },
  runs: 'in a browser',
}
