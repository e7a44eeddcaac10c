import { CLIENT, type Framework, NEW_NODE_PROJECT, SERVER } from '../framework.ts'

export const nuxt: Framework = {
  ...SERVER,
  label: 'Nuxt',
  needs: 'node',
  detect: { file: 'package.json', names: ['nuxt'] },
  callbackPath: '/auth/callback',
  create: NEW_NODE_PROJECT,
  install: 'npm install nuxt openid-client',
  run: 'npx nuxt dev --host localhost --port {port}',
  files: ['server/utils/session.js', 'server/routes/auth/[action].get.js', 'server/api/me.get.js', 'app/app.vue'],
  pages: ['app/app.vue'],
  settings: { ...CLIENT, APP_URL: '{origin}', SESSION_SECRET: '{random}' },
  runs: 'in a browser',
}
