/** What commands need that call a running server. */
import { Secret, setting } from './setting.ts'

export const clientSettings = {
  token: setting({
    name: 'SIGNET_TOKEN',
    defaultText: '`admin.pat` in the data folder',
    meaning: 'Personal access token that commands such as `signet import` use to call a running server.',
    isSecret: true,
    read: (text) => (text === undefined ? undefined : new Secret(text)),
  }),
} as const
