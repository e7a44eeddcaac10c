/** The kind `settings`: one document for each owner that has set something. */
import { kind } from '../../store/index.ts'
import { settingsDecider } from './decider.ts'
import { settingsEvents } from './events.ts'
import { MOST_WITHHELD } from './providers.ts'
import { settingsRefusals } from './refusals.ts'

/** Only owners with such a setting have the fields. They are few, so there is no index. */
export const settings = kind({
  name: 'settings',
  ids: { of: ['organization', 'instance'] },
  waits: false,
  path: true,
  version: 6,
  events: settingsEvents,
  decider: settingsDecider,
  refusals: settingsRefusals,
  fields: {
    userNameScope: { path: ['organization', 'userNameScope'], type: 'text', indexed: false },
    setFirstAt: { path: ['organization', 'createdAt'], type: 'number', indexed: false },
    namedProviders: { path: ['providers', 'search'], type: 'text', indexed: false },
    setLastAt: { path: ['organization', 'changedAt'], type: 'number', indexed: false },
  },
  isGone: (state) => state.isRemoved,
  limits: [
    {
      things: 'identity providers removed from the login policy',
      holder: 'an organization or the instance',
      inside: ({ providers }) => providers?.withheld.length ?? 0,
      number: MOST_WITHHELD,
    },
  ],
})

/** A name by which settings of organizations can be filtered or sorted. */
export type SettingsField = keyof typeof settings.fields & string
