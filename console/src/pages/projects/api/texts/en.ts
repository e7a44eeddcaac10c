/** The texts of the API of a project, in English. */
import type { Sentences } from '../../../../texts/languages.ts'

export const en = {
  resources: {
    title: 'Resources',
    description: 'APIs that access tokens can be issued for. A token for one resource is refused by all others.',
    empty: 'No resources yet. Add one to issue tokens for an API or MCP server.',
    uri: 'Resource URI',
    uriHint: 'The address of the API, such as https://mcp.example.com/mcp. It becomes the audience of its tokens.',
    scopes: 'Scopes',
    scopesHint: 'What a client can ask for at this API.',
    scope: 'Scope {number}',
    sentence: 'Description of scope {number}',
    scopePlaceholder: 'tools:read',
    sentencePlaceholder: 'Read your files',
    sentenceHint: 'Users read the description when they’re asked for their consent.',
    addScope: 'Add scope',
    removeScope: 'Remove scope {number}',
    noScopes: 'None',
    default: 'Default',
    isDefault: 'Default resource',
    isDefaultHint: 'Clients of this project that don’t name a resource get tokens for this one.',
    add: 'Add resource',
    addDone: 'Resource added.',
    edit: 'Edit',
    remove: 'Remove',
    removeHint: 'All tokens for this resource stop working immediately.',
    removeDone: 'Resource removed.',
    changedUri: 'If you change the URI, tokens for the current one stop working immediately.',
    uriTaken: 'This project already has a resource with this URI.',
    scopeTaken: 'This scope is already in the list.',
  },
  agents: {
    title: 'Agents',
    description: 'What agents and clients that nobody set up can do with the resources of this project.',
    names: {
      clientIdMetadataDocuments: 'Allow clients with a metadata document',
      dynamicRegistration: 'Allow clients that registered themselves',
      onBehalfOf: 'Let agents act on behalf of users',
    },
    hints: {
      clientIdMetadataDocuments: 'Their client ID is the URL of a document that names them.',
      dynamicRegistration: 'They register with a registration token, or without one if the instance allows it.',
      onBehalfOf: 'Agents that a user allowed can exchange the user’s token for one that names both.',
    },
    offHere: 'The instance doesn’t allow these clients, so this has no effect yet.',
    instance: 'Agent settings of the instance',
  },
  tokens: {
    title: 'Registration tokens',
    description:
      'With a registration token, clients can register themselves for this project. It’s valid for one day and isn’t stored, so it can’t be listed or removed. Turn registration off to stop it earlier.',
    create: 'Create registration token',
    created: 'Registration token created.',
    token: 'Registration token',
    expires: 'Valid until {time}',
  },
} as const

export type ApiTexts = Sentences<typeof en>
