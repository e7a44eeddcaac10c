import { CLIENT, type Framework, SERVER, WITH_ENV } from '../framework.ts'

const JAVA = 'src/main/java/com/example/app'

export const spring: Framework = {
  ...SERVER,
  label: 'Java, Spring Boot',
  needs: 'mvn',
  detect: { file: 'pom.xml', names: ['spring-boot'] },
  callbackPath: '/login/oauth2/code/signet',
  create: ['mkdir my-app && cd my-app'],
  // What it needs is in pom.xml.
  install: '',
  run: `${WITH_ENV}; mvn spring-boot:run`,
  files: [
    'pom.xml',
    'src/main/resources/application.yml',
    `${JAVA}/Application.java`,
    `${JAVA}/SecurityConfig.java`,
    `${JAVA}/HomeController.java`,
  ],
  pages: ['pom.xml', 'src/main/resources/application.yml'],
  settings: { ...CLIENT, PORT: '{port}' },
  runs: 'in a browser',
}
