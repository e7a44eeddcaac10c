/** What an organization has that steps can be about, made by an owner of the instance. */

import { KeyType } from '../../contract/gen/signet/authn/v1/key_pb.ts'
import { GroupService } from '../../contract/gen/signet/group/v2/group_service_pb.ts'
import { MessageType } from '../../contract/gen/signet/mail/v1/mail_pb.ts'
import { MailService } from '../../contract/gen/signet/mail/v1/mail_service_pb.ts'
import { ManagementService } from '../../contract/gen/signet/management/v1/management_pb.ts'
import { WebhookService } from '../../contract/gen/signet/webhook/v1/webhook_service_pb.ts'
import { REDIRECT_URI } from '../support/openid-world.ts'
import type { World } from '../support/world.ts'

const v1 = ManagementService.method
/** Nobody listens there. */
const NOWHERE = 'http://127.0.0.1:1'

/** A project with applications, granted to another organization. */
async function addProject({ call, owner }: World, home: string) {
  const inHome = { ...owner, organizationId: home }
  const [{ id: partner }, { id: projectId }] = await Promise.all([
    call(v1.addOrg, { name: `Partner of ${home}` }, owner),
    call(v1.addProject, { name: 'Project' }, inHome),
  ])
  await call(v1.addProjectRole, { projectId, roleKey: 'role', displayName: 'Role' }, inHome)
  const grant = { projectId, grantedOrgId: partner, roleKeys: ['role'] }
  const app = { projectId, name: 'Application', redirectUris: [REDIRECT_URI] }
  const [{ grantId: projectGrantId }, { appId: applicationId }, { appId: apiId }] = await Promise.all([
    call(v1.addProjectGrant, grant, inHome),
    call(v1.addOIDCApp, app, inHome),
    call(v1.addAPIApp, { projectId, name: 'API' }, inHome),
  ])
  return { partner, projectId, projectGrantId, applicationId, apiId }
}

/** A machine with credentials. */
async function addMachine({ call, owner }: World, home: string) {
  const inHome = { ...owner, organizationId: home }
  const name = `robot-${home}`
  const machine = (await call(v1.addMachineUser, { userName: name, name }, inHome)).userId
  const [{ keyId }, { tokenId }] = await Promise.all([
    call(v1.addMachineKey, { userId: machine, type: KeyType.JSON }, inHome),
    call(v1.addPersonalAccessToken, { userId: machine }, inHome),
  ])
  return { machine, keyId, tokenId }
}

/** A login policy that lets people sign in at providers, and what else administrators set. */
async function addSettings({ call, owner }: World, home: string) {
  const inHome = { ...owner, organizationId: home }
  const login = { allowUsernamePassword: true, allowExternalIdp: true, allowRegister: true }
  const text = { type: MessageType.PASSWORD_RESET, language: 'en', organizationId: home, text: { subject: 'Reset' } }
  await Promise.all([
    call(v1.addCustomLoginPolicy, login, inHome),
    call(v1.addCustomLockoutPolicy, { maxPasswordAttempts: 9 }, inHome),
    call(MailService.method.setMessageText, text, owner),
  ])
}

export async function addThings(world: World, home: string) {
  const { call, owner } = world
  const inHome = { ...owner, organizationId: home }
  const provider = { name: 'Provider', issuer: NOWHERE, clientId: 'client', clientSecret: 'secret' }
  const providerOptions = { isLinkingAllowed: true }
  const domain = `home-${home}.example.com`
  const [{ partner, ...project }, machine, { id: idpId }, { id: groupId }, { webhookId }] = await Promise.all([
    addProject(world, home),
    addMachine(world, home),
    call(v1.addGenericOIDCProvider, { ...provider, providerOptions }, inHome),
    call(GroupService.method.createGroup, { organizationId: home, name: 'Group' }, owner),
    call(WebhookService.method.createWebhook, { organizationId: home, name: 'Hook', endpoint: NOWHERE }, owner),
    call(v1.addOrgDomain, { domain }, inHome),
    addSettings(world, home),
  ])
  return {
    partner,
    things: { ...project, home, partner, outsider: partner, ...machine, idpId, groupId, webhookId, domain },
  }
}
