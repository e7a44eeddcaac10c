import { CLIENT, type Framework, SERVER } from '../framework.ts'

export const next: Framework = {
  ...SERVER,
  label: 'Next.js',
  needs: 'node',
  detect: { file: 'package.json', names: ['next'] },
  callbackPath: '/auth/callback',
  create: ['npx create-next-app@latest my-app --yes --js --app --no-src-dir', 'cd my-app'],
  install: 'npm install openid-client jose',
  run: 'npm run dev -- --port {port}',
  files: ['session.js', 'app/auth/[action]/route.js', 'app/page.js'],
  pages: ['app/page.js'],
  settings: { ...CLIENT, APP_URL: '{origin}', SESSION_SECRET: '{random}' },
  runs: 'in a browser',
}
