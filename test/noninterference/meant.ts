/** Differences between tenants that are meant: each has the number of the decision that says why. */
import type { Difference } from './judge.ts'

export interface Meant {
  /** A page of docs/decisions. */
  readonly decision: string
  readonly why: string
  readonly manner: Difference['manner']
  /** By full name. */
  readonly methods: RegExp
  readonly fields: RegExp
  /** The codes of both answers, of `differs`. */
  readonly codes?: RegExp
}

const ANY = /./

export const MEANT: readonly Meant[] = [
  {
    decision: '0119',
    why: 'that an ID is in use is no secret: whoever chooses it for something of their own is told so, too',
    manner: 'differs',
    methods: ANY,
    fields: /(^i|I)ds?(\[0\])?$/,
    codes: /^access\.forbidden ≠ \w+\.(\w+_)?(not_found|missing)$/,
  },
  {
    decision: '0119',
    why: 'removing what is not there succeeds, and removing what belongs to others is refused',
    manner: 'differs',
    methods: /\/(Delete|Remove|BulkRemove)/,
    fields: /(^i|I)ds?(\[0\])?$/,
    codes: /^access\.(forbidden|not_found) ≠ ok$/,
  },
  {
    decision: '0119',
    why: 'a group of others is answered as one that nobody may see, and not as one that has to be created first',
    manner: 'differs',
    methods: /GroupService\//,
    fields: /^id$/,
    codes: /^access\.not_found ≠ group\.missing$/,
  },
  {
    decision: '0120',
    why: 'a chosen ID belongs to one thing of its kind in the instance',
    manner: 'differs',
    methods: /\/(Add|Create)/,
    fields: /(^i|I)d$/,
    codes: /^\w+\.id_taken ≠ ok$/,
  },
  {
    decision: '0012',
    why: 'a user name is one in the instance, unless the organization has names of its own',
    manner: 'differs',
    methods: ANY,
    fields: /^user_?name$/i,
    codes: /^(user\.username_taken|ok) ≠ ok$/,
  },
  {
    decision: '0061',
    why: 'users of other organizations are given roles by their ID',
    manner: 'differs',
    methods:
      /\/(CreateAdministrator|CreateAuthorization|AddOrgMember|AddProjectMember|AddProjectGrantMember|AddUserGrant)$/,
    fields: /^userId$/,
    codes: /^ok ≠ \w+\.user_not_found$/,
  },
  {
    decision: '0061',
    why: 'who may give roles to users of other organizations finds them by their whole login name',
    manner: 'differs',
    methods: /\/GetUserByLoginNameGlobal$/,
    fields: /^loginName$/,
    codes: /^ok ≠ user\.not_found$/,
  },
  {
    decision: '0061',
    why: 'who may give roles to users of other organizations finds their ID by their whole login name',
    manner: 'tells',
    methods: /\/GetUserByLoginNameGlobal$/,
    fields: /^(loginName|own)$/,
  },
  {
    decision: '0131',
    why: 'a project is granted to an organization by its ID',
    manner: 'differs',
    methods: /\/(AddProjectGrant|CreateProjectGrant)$/,
    fields: /^granted(Org|Organization)Id$/,
    codes: /^ok ≠ project_grant\.organization_not_found$/,
  },
  {
    decision: '0119',
    why: 'that an ID is in use is no secret, also where a project is neither owned nor granted',
    manner: 'differs',
    methods: /\/(CreateAuthorization|AddUserGrant)$/,
    fields: /^projectId$/,
    codes: /^authorization\.project_not_granted ≠ authorization\.project_not_found$/,
  },
  {
    decision: '0119',
    why: 'the code that a device shows is the proof: who has it is told which application asks',
    manner: 'differs',
    methods: /\/GetDeviceAuthorizationRequest$/,
    fields: /^userCode$/,
    codes: /^ok ≠ device_authorization\.not_found$/,
  },
  {
    decision: '0119',
    why: 'the code that a device shows is the proof: who has it is told which application asks',
    manner: 'tells',
    methods: /\/GetDeviceAuthorizationRequest$/,
    fields: /^userCode$/,
  },
  {
    decision: '0119',
    why: 'an ID of a sign-in at a provider is worth nothing without its token',
    manner: 'differs',
    methods: /\/RetrieveIdentityProviderIntent$/,
    fields: /^idpIntentId$/,
    codes: /^intent\.token_wrong ≠ intent\.not_succeeded$/,
  },
]

export function isMeantBy({ manner, methods, fields, codes }: Meant, difference: Difference): boolean {
  const { name, field } = difference.case
  const isThere = difference.manner === manner && methods.test(name) && fields.test(field)
  return isThere && (codes === undefined || codes.test(difference.codes))
}
