import { ADDRESSES, CLIENT, type Framework, SERVER } from '../framework.ts'

export const django: Framework = {
  ...SERVER,
  label: 'Django',
  needs: 'python3',
  detect: { file: 'manage.py', names: ['django'] },
  create: [
    'mkdir my-app && cd my-app',
    'python3 -m venv .venv && . .venv/bin/activate',
    'pip install django && django-admin startproject config .',
    'python manage.py migrate',
    "echo 'from .signet import *' >> config/settings.py",
  ],
  install: 'pip install django authlib requests python-dotenv',
  run: 'python manage.py runserver localhost:{port}',
  files: ['config/signet.py', 'sign_in.py', 'config/urls.py'],
  pages: ['config/urls.py'],
  settings: { ...CLIENT, ...ADDRESSES },
  runs: 'in a browser',
}
