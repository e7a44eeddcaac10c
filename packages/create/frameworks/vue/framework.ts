import { type Framework, IN_THE_PAGE, PAGE } from '../framework.ts'

export const vue: Framework = {
  ...PAGE,
  label: 'Vue',
  needs: 'node',
  detect: { file: 'package.json', names: ['vue'] },
  create: ['npm create vite@latest my-app -- --template vue --no-interactive', 'cd my-app'],
  install: 'npm install oidc-client-ts',
  run: 'npm run dev -- --port {port}',
  files: ['src/auth.js', 'src/App.vue'],
  pages: ['src/App.vue'],
  settings: IN_THE_PAGE,
  runs: 'in a browser',
}
