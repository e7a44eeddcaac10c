import { ADDRESSES, CLIENT, type Framework, NEW_NODE_PROJECT, SERVER } from '../framework.ts'

export const hono: Framework = {
  ...SERVER,
  label: 'Hono',
  needs: 'node',
  detect: { file: 'package.json', names: ['hono'] },
  create: NEW_NODE_PROJECT,
  install: 'npm install hono @hono/node-server openid-client',
  run: 'node --env-file=.env app.js',
  files: ['app.js'],
  settings: { ...CLIENT, ...ADDRESSES },
  runs: 'in a browser',
}
