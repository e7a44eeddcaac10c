import { CLIENT, type Framework, NEW_NODE_PROJECT } from '../framework.ts'

export const api: Framework = {
  kind: 'api',
  label: 'API',
  needs: 'node',
  address: 'http://localhost:3002',
  callbackPath: '',
  signedOutPaths: [],
  create: NEW_NODE_PROJECT,
  install: 'npm install jose',
  run: 'node --env-file=.env api.js',
  files: ['api.js'],
  settings: { ...CLIENT, AUDIENCE: '{audience}' },
  runs: 'by calls',
}
