/** The pages of the documentation that the search finds: their titles, and the words people use. Loaded with the search. */
import { PATHS } from '../../../src/kernel/page-paths.ts'

export interface Guide {
  /** Its address on this server. */
  readonly href: string
  /** The heading of the page. */
  readonly title: string
  readonly words: readonly string[]
}

const GUIDES_BY_PAGE: Readonly<Record<string, readonly [title: string, words: string]>> = {
  'guides/protect-a-web-app': [
    'Protect a web app',
    'getting started, quickstart, oidc, redirect uri, client secret, callback',
  ],
  'reference/frameworks': [
    'Get started with your framework',
    'sdk, react, vue, angular, next.js, express, django, laravel, spring, go, .net, flutter',
  ],
  'guides/protect-an-api': [
    'Protect an API',
    'validate token, verify jwt, introspection, bearer token, resource server, audience',
  ],
  'guides/machine-to-machine': [
    'Machine to machine',
    'm2m, client credentials, service account, api key, private key jwt, pat',
  ],
  'guides/server-kit': ['Use the server kit', 'sdk, node sdk, library, middleware'],
  'guides/test-your-app': [
    'Test your app against a real identity server',
    'testing, ci, e2e tests, integration tests, docker',
  ],
  'how-to/sign-people-in': [
    'Sign users in',
    'login, mfa, 2fa, passkeys, lockout, brute force, password reset, magic link, impersonation',
  ],
  'guides/build-your-own-sign-in-page': ['Build your own sign-in page', 'custom login, headless, session api, own ui'],
  'how-to/sign-in-with-other-providers': [
    'Sign in with identity providers',
    'sso, social login, google, microsoft, ldap, saml idp, federation',
  ],
  'guides/saml': ['Sign users in to SAML applications', 'saml, sp, acs, entity id, metadata, sso'],
  'guides/groups': ['Groups', 'teams, group roles'],
  'guides/directory-sync': ['Sync users and groups from a directory', 'scim, provisioning, entra, okta'],
  'how-to/protect-an-mcp-server': ['Protect an MCP server', 'mcp, ai, claude, chatgpt, dynamic client registration'],
  'guides/let-agents-act-for-users': [
    'Let agents act for users',
    'ai agents, delegation, token exchange, on behalf of, act claim',
  ],
  'guides/ask-for-approval': ['Ask a person for approval', 'ciba, backchannel authentication, push approval'],
  'how-to/high-assurance': ['High assurance: FAPI 2.0', 'fapi, dpop, par, mtls, financial grade'],
  'guides/actions': ['Call your own code with actions', 'custom claims, hooks, token enrichment, rules'],
  'how-to/audit': [
    'See who signed in and what changed',
    'audit log, sign-in log, ip address, csv export, failed logins, history',
  ],
  'guides/webhooks': ['Send events to your own systems', 'webhook, signature, hmac, retries'],
  'guides/follow-events': ['Follow events', 'event stream, audit log, siem, splunk, datadog, export log'],
  'guides/shared-signals': ['Share security signals', 'ssf, caep, risc'],
  'guides/terraform': ['Terraform', 'infrastructure as code, iac, opentofu, gitops, pulumi'],
  'how-to/install': ['Install', 'docker, kubernetes, helm, systemd, compose, upgrade, update'],
  'how-to/run-in-production': [
    'Run in production',
    'tls, https, reverse proxy, nginx, caddy, traefik, custom domain, hardening, kubernetes, helm',
  ],
  'how-to/set-up-mail': ['Set up mail', 'smtp, email, dkim, spf, xoauth2, sendgrid'],
  'how-to/receive-sms-webhooks': ['Send text messages with a webhook or Twilio', 'sms, twilio, phone'],
  'how-to/observe': [
    'Observe',
    'metrics, prometheus, grafana, logs, tracing, opentelemetry, monitoring, alerts, health check',
  ],
  'how-to/back-up-and-move': [
    'Back up and move',
    'backup, restore, disaster recovery, sqlite, snapshot, sicherung, sauvegarde',
  ],
  'how-to/scale': [
    'Scale',
    'high availability, cluster, postgresql, postgres, performance, several nodes, load balancer',
  ],
  'guides/move-from-keycloak': ['Move from Keycloak', 'migrate, migration, realm'],
  'guides/move-from-auth0': ['Move from Auth0', 'migrate, migration, okta'],
  'guides/move-from-zitadel': ['Move from ZITADEL', 'migrate, migration'],
  'guides/import-in-the-console': ['Import in the console', 'migrate, migration, import'],
  'how-to/import-users': ['Import users', 'csv, bulk import, password hashes, bcrypt, argon2, hashed passwords'],
  'guides/leave-or-return': ['Leave, or return', 'export, data portability, gdpr, vendor lock-in'],
  'reference/api': ['Methods', 'api reference, rest, grpc, connect, openapi, endpoints'],
  'reference/errors': ['Errors', 'error codes, error messages'],
  'reference/alerts': ['Alerts', 'runbook, prometheus rules, alertmanager, on call, incident'],
  'reference/configuration': [
    'Configuration',
    'environment variables, env, settings, signet_external_url, backup settings',
  ],
  'reference/scopes-and-claims': ['Scopes and claims', 'jwt, id token, userinfo, claims, roles claim'],
  'reference/page-texts': ['Texts of the hosted pages', 'translations, i18n'],
  'reference/export-format': ['The format of an export', 'export, json, ndjson'],
  'reference/stability': ['What stays stable', 'versioning, semver, breaking changes, deprecation'],
  'explanation/security-model': [
    'Security model',
    'gdpr, compliance, threat model, password hashing, argon2, encryption, roles',
  ],
  'explanation/hosted-pages': ['Hosted pages', 'login page, branding, accessibility, csp'],
  'explanation/how-we-write': ['How we write', 'style, wording, texts, translations, contributing'],
  'explanation/scale': ['How far it scales', 'capacity, sizing, sharding, many instances, millions of users'],
}

export const GUIDES: readonly Guide[] = Object.entries(GUIDES_BY_PAGE).map(([page, [title, words]]) => ({
  href: `${PATHS.docs}/${page}`,
  title,
  words: words.split(', '),
}))
