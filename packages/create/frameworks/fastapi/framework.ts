import { ADDRESSES, CLIENT, type Framework, SERVER } from '../framework.ts'

export const fastapi: Framework = {
  ...SERVER,
  label: 'FastAPI',
  needs: 'python3',
  detect: { file: 'requirements.txt', names: ['fastapi', 'FastAPI'] },
  create: ['mkdir my-app && cd my-app', 'python3 -m venv .venv && . .venv/bin/activate'],
  install: 'pip install fastapi uvicorn authlib httpx itsdangerous python-dotenv',
  run: 'uvicorn app:app --host localhost --port {port}',
  files: ['app.py'],
  settings: { ...CLIENT, ...ADDRESSES, SESSION_SECRET: '{random}' },
  runs: 'in a browser',
}
