import { CLIENT, type Framework, SERVER, WITH_ENV } from '../framework.ts'

const JAVA = 'src/main/java/com/example/demo'

export const spring: Framework = {
  ...SERVER,
  label: 'Java, Spring Boot',
  needs: 'java',
  detect: { file: 'pom.xml', names: ['spring-boot'] },
  callbackPath: '/login/oauth2/code/signet',
  create: [
    'curl -s https://start.spring.io/starter.tgz -d type=maven-project -d dependencies=web,oauth2-client -d baseDir=my-app | tar -xz',
    'cd my-app',
  ],
  install: './mvnw compile',
  run: `${WITH_ENV}; ./mvnw spring-boot:run`,
  files: ['src/main/resources/application.yml', `${JAVA}/SecurityConfig.java`, `${JAVA}/HomeController.java`],
  settings: CLIENT,
  runs: 'not yet',
}
