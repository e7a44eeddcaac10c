/** The products that can be moved from. A reader adds one line; it is loaded when its command is used. */
import { auth0Command } from './auth0/command.ts'
import { keycloakCommand } from './keycloak/command.ts'
import { signetCommand } from './signet/command.ts'
import type { SourceCommand } from './source-command.ts'
import { zitadelCommand } from './zitadel/command.ts'

export const SOURCES: readonly SourceCommand[] = [zitadelCommand, keycloakCommand, auth0Command, signetCommand]
