import { ADDRESSES, CLIENT, type Framework, SERVER, WITH_ENV } from '../framework.ts'

export const go: Framework = {
  ...SERVER,
  label: 'Go',
  needs: 'go',
  detect: { file: 'go.mod', names: [] },
  create: ['mkdir my-app && cd my-app', 'go mod init my-app'],
  install: 'go get github.com/coreos/go-oidc/v3/oidc golang.org/x/oauth2',
  run: `${WITH_ENV}; go run .`,
  files: ['main.go'],
  settings: { ...CLIENT, ...ADDRESSES },
  runs: 'in a browser',
}
