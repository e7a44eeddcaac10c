import { ADDRESSES, CLIENT, type Framework, SERVER } from '../framework.ts'

export const python: Framework = {
  ...SERVER,
  label: 'Flask',
  needs: 'python3',
  detect: { file: 'requirements.txt', names: ['flask', 'Flask'] },
  create: ['mkdir my-app && cd my-app', 'python3 -m venv .venv && . .venv/bin/activate'],
  install: 'pip install flask authlib requests python-dotenv',
  run: 'python app.py',
  files: ['app.py'],
  settings: { ...CLIENT, ...ADDRESSES, SESSION_SECRET: '{random}' },
  runs: 'in a browser',
}
