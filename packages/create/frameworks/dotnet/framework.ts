import { CLIENT, type Framework, SERVER, WITH_ENV } from '../framework.ts'

export const dotnet: Framework = {
  ...SERVER,
  label: '.NET',
  needs: 'dotnet',
  detect: { file: '*.csproj', names: [] },
  callbackPath: '/signin-oidc',
  signedOutPaths: ['/signout-callback-oidc'],
  create: ['dotnet new web --output my-app', 'cd my-app'],
  install: 'dotnet add package Microsoft.AspNetCore.Authentication.OpenIdConnect',
  run: `${WITH_ENV}; dotnet run --urls {origin}`,
  files: ['Program.cs'],
  settings: CLIENT,
  runs: 'not yet',
}
