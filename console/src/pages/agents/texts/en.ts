/** The texts about agents, in English. */
import type { Sentences } from '../../../texts/languages.ts'

export const en = {
  kinds: { document: 'Metadata document', registered: 'Self-registered' },
  hosts: { verified: 'Verified host', unverified: 'Unverified' },
  client: 'Client',
  user: 'User',
  organization: 'Organization',
  resource: 'API',
  scopes: 'Scopes',
  firstUse: 'First used',
  lastUse: 'Last used',
  actions: 'Actions',
  access: {
    title: 'Agent access',
    description:
      'Clients that nobody set up and that users gave access to their accounts. Clients choose their own names; a verified host is where a client publishes its metadata.',
    empty: 'No agent has access to anyone’s account.',
    remove: 'Remove access',
    removeTitle: 'Remove {client}’s access to {user}’s account?',
    removeText: 'Its tokens stop working immediately. It has to ask again for all APIs.',
    removeDone: 'Access removed.',
    approve: 'Approve for everyone',
    approveTitle: 'Approve {client} for everyone',
    approveText:
      'Users of {organization} won’t be asked for these scopes. Administrators above the organization are still asked.',
    approveDone: 'Client approved.',
    nothingChosen: 'Choose at least one scope.',
  },
  approvals: {
    title: 'Approved clients',
    description: 'Users of the organization aren’t asked before these clients get the approved scopes.',
    empty: 'No clients approved yet. Approve one from the list of agent access.',
    since: 'Approved',
    unusable: 'Not available right now',
    withdraw: 'Withdraw approval',
    withdrawTitle: 'Withdraw the approval of {client}?',
    withdrawText: 'The client loses access to the accounts of users who didn’t allow it themselves.',
    withdrawDone: 'Approval withdrawn.',
  },
  settings: {
    title: 'Agent settings',
    lead: 'Which clients can ask for access without being set up first. Each project decides for its own APIs, too.',
    clients: 'Clients without setup',
    documents: 'Allow clients with a metadata document',
    documentsHint: 'The client ID is the URL of a document that names the client and its redirect URIs.',
    domains: 'Allowed domains',
    domainsHint: 'Subdomains are included. Leave empty to allow any domain. Press Enter after each one.',
    registration: 'Allow clients to register themselves',
    registrationHint: 'Dynamic client registration, with a registration token from the project’s API page.',
    openRegistration: 'Allow registration without a token',
    openRegistrationHint: 'Anyone who can reach this server can then register a client.',
    perHour: 'Registrations per hour',
    perHourHint: 'For the whole instance. 0 means the default of 60.',
    mcp: 'MCP server',
    mcpServer: 'Let agents use this server at /mcp',
    mcpServerHint: 'Agents can do what the user may do, as far as the user allows it.',
    mcpAddress: 'Address for MCP clients',
  },
} as const

export type AgentTexts = Sentences<typeof en>
