/** The schema of groups (RFC 7643 §4.2). */
import type { ResourceSchema } from '../attributes.ts'

const GROUP_SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:Group'

/** How many members one request can name. */
export const MOST_NAMED = 10_000

export const GROUP: ResourceSchema = {
  id: GROUP_SCHEMA,
  name: 'Group',
  description: 'Group',
  endpoint: '/Groups',
  extensions: [],
  attributes: [
    { name: 'externalId', type: 'string', isCaseExact: true, description: 'The ID that the directory has given.' },
    {
      name: 'displayName',
      type: 'string',
      isRequired: true,
      isUnique: true,
      description: 'The name of the group, unique in the organization.',
    },
    {
      name: 'members',
      type: 'complex',
      isMany: true,
      most: MOST_NAMED,
      description: 'The users in the group. They belong to its organization; groups contain no groups.',
      parts: [
        {
          name: 'value',
          type: 'string',
          isCaseExact: true,
          mutability: 'immutable',
          description: 'The ID of the user.',
        },
        {
          name: '$ref',
          type: 'reference',
          references: ['User'],
          isCaseExact: true,
          mutability: 'immutable',
          description: 'The address of the user.',
        },
        { name: 'type', type: 'string', mutability: 'immutable', examples: ['User'], description: 'Always User.' },
      ],
    },
  ],
}
