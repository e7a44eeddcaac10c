import { ADDRESSES, CLIENT, type Framework, NEW_NODE_PROJECT, SERVER } from '../framework.ts'

export const fastify: Framework = {
  ...SERVER,
  label: 'Fastify',
  needs: 'node',
  detect: { file: 'package.json', names: ['fastify'] },
  create: NEW_NODE_PROJECT,
  install: 'npm install fastify @fastify/cookie @fastify/session openid-client',
  run: 'node --env-file=.env app.js',
  files: ['app.js'],
  settings: { ...CLIENT, ...ADDRESSES, SESSION_SECRET: '{random}' },
  runs: 'in a browser',
}
