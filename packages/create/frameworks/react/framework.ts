import { type Framework, IN_THE_PAGE, PAGE } from '../framework.ts'

export const react: Framework = {
  ...PAGE,
  label: 'React',
  needs: 'node',
  detect: { file: 'package.json', names: ['react'] },
  create: ['npm create vite@latest my-app -- --template react --no-interactive', 'cd my-app'],
  install: 'npm install oidc-client-ts react-oidc-context',
  run: 'npm run dev -- --port {port}',
  files: ['src/main.jsx'],
  pages: ['src/main.jsx'],
  settings: IN_THE_PAGE,
  runs: 'in a browser',
}
