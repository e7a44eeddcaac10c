import type { Framework } from '../framework.ts'

export const native: Framework = {
  kind: 'native',
  label: 'iOS, Android, desktop',
  needs: '',
  address: '',
  callbackPath: '',
  signedOutPaths: [],
  create: [],
  install: '',
  run: '',
  files: [],
  settings: { ISSUER: '{issuer}', CLIENT_ID: '{clientId}', REDIRECT_URI: '{redirectUri}' },
  runs: 'not yet',
}
