import { type Framework, NEW_NODE_PROJECT, SERVER } from '../framework.ts'

export const express: Framework = {
  ...SERVER,
  label: 'Express',
  needs: 'node',
  detect: { file: 'package.json', names: ['express'] },
  // Its library sends people to the address as it is set.
  signedOutPaths: ['', '/'],
  create: NEW_NODE_PROJECT,
  install: 'npm install express express-openid-connect',
  run: 'node --env-file=.env app.js',
  files: ['app.js'],
  // The names that its library reads.
  settings: {
    ISSUER_BASE_URL: '{issuer}',
    BASE_URL: '{origin}',
    CLIENT_ID: '{clientId}',
    CLIENT_SECRET: '{clientSecret}',
    SECRET: '{random}',
  },
  runs: 'in a browser',
}
