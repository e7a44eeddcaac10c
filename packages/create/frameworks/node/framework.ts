import { ADDRESSES, CLIENT, type Framework, NEW_NODE_PROJECT, SERVER } from '../framework.ts'

export const node: Framework = {
  ...SERVER,
  label: 'Node.js',
  needs: 'node',
  detect: { file: 'package.json', names: [] },
  create: NEW_NODE_PROJECT,
  install: 'npm install openid-client',
  run: 'node --env-file=.env app.js',
  files: ['app.js'],
  settings: { ...CLIENT, ...ADDRESSES },
  runs: 'in a browser',
}
