/**
 * The words that people use for what the console calls otherwise: abbreviations, names in other products, and the same in
 * German and French. By the place that the search then finds: a page, a section of one (`page#section`), or where something
 * is created. Separated by commas; the place's own names need not be here. Loaded with the search.
 */
const WORDS: Readonly<Record<string, string>> = {
  '/': 'dashboard, overview, statistics, metrics, active users, mau, checklist, go live, übersicht, statistik, tableau de bord',
  '/users':
    'people, person, accounts, members, identities, customers, login, unlock user, unlock account, reset password, impersonate, delete user, deactivate user, service account, gdpr, dsgvo, rgpd, right to erasure, export users, personen, konten, entsperren, passwort zurücksetzen, comptes, personnes, déverrouiller',
  '/users/new': 'add user, new user, sign up user, register user, neuer benutzer, nouvel utilisateur',
  '/users/new-machine':
    'service account, service user, machine user, bot, robot, m2m, machine to machine, api key, api token, pat, personal access token, client credentials, daemon, dienstkonto, api-schlüssel, clé d’api, compte de service',
  '/users/invite': 'invitation, invite link, onboarding, einladung, einladen, inviter',
  '/users/import': 'csv, bulk import, upload users, excel, spreadsheet, massenimport, tableur',
  '/groups': 'teams, group roles, departments, teams and roles, abteilungen, équipes',
  '/organizations':
    'tenants, tenant, customers, companies, workspaces, b2b, multi-tenancy, domains, mandanten, kunden, locataires, entreprises',
  '/applications':
    'apps, app, clients, oidc clients, oauth clients, relying parties, service providers, client id, client secret, rotate secret, redirect uri, redirect url, callback url, apps verwalten',
  '/projects':
    'apis, resources, audience, roles, rbac, permissions, authorization, project grants, scopes, rollen, berechtigungen, rôles, autorisations',
  '/protect-an-app':
    'add app, new app, new application, create application, create client, oidc client, oauth client, client id, client secret, redirect uri, redirect url, callback url, quickstart, getting started, react, next.js, express, sdk, single-page app, spa, pkce, neue anwendung, nouvelle application',
  '/identity-providers':
    'sso, single sign-on, single sign on, social login, federation, external login, google, microsoft, entra, azure ad, apple, github, gitlab, facebook, okta, ldap, active directory, saml, saml idp, oidc provider, enterprise connection, idp, soziale anmeldung, connexion sociale',
  '/identity-providers/new':
    'add google, add microsoft, add github, add ldap, add saml, connect google, new connection',
  '/directory-sync':
    'scim, user provisioning, provisioning, deprovisioning, sync users, directory, entra id sync, okta provisioning, hr, bereitstellung, approvisionnement',
  '/sign-in':
    'login settings, login policy, authentication, authentication policy, login page settings, magic link, passwordless, anmeldung, connexion',
  '/sign-in#methods':
    'passkey, passkeys, webauthn, fido, fido2, passwordless, magic link, self-registration, sign up, signup, register, forgot password, password reset, selbstregistrierung, passwort vergessen, inscription, mot de passe oublié',
  '/sign-in#factors':
    'mfa, 2fa, multi-factor authentication, two-factor authentication, two factor, second factor, totp, otp, one-time password, authenticator, google authenticator, yubikey, u2f, security key, sms code, email code, backup codes, recovery codes, force mfa, require mfa, step-up, zwei-faktor, zweiter faktor, double authentification, a2f',
  '/sign-in#lifetimes':
    'session timeout, session duration, session lifetime, idle timeout, log out after, remember me, stay signed in, keep me signed in, reauthentication, sitzungsdauer, angemeldet bleiben, durée de session, rester connecté',
  '/sign-in#providers': 'hide provider, social buttons, show google button, order of providers',
  '/sign-in/passwords': 'password policy, password settings, passwortrichtlinie, politique de mot de passe',
  '/sign-in/passwords#rules':
    'password policy, password strength, password complexity, password length, special characters, minimum length, passwortstärke, complexité',
  '/sign-in/passwords#expiry':
    'password age, password rotation, expire passwords, change password every, passwortablauf',
  '/sign-in/passwords#lockout':
    'lock out, account lockout, lock account, brute force, failed attempts, too many attempts, max attempts, locked, unlock, kontosperre, gesperrt, verrouillage, force brute',
  '/sign-in/names':
    'username, user name, login name, email domain, domain policy, benutzername, nom d’utilisateur, identifiant',
  '/agents': 'mcp, ai agents, ai, assistants, connected apps, third-party apps, ki, ia',
  '/agents/approvals': 'allow list, allowlist, approve client, trusted clients',
  '/agents/settings': 'mcp server',
  '/agents/settings#clients': 'dynamic client registration, dcr, client id metadata document, cimd, register clients',
  '/agents/settings#mcp': 'mcp server, model context protocol',
  '/branding':
    'theme, themes, logo, colors, colours, dark mode, favicon, font, css, customize login page, white label, design, appearance, login page, universal login, farben, schrift, couleurs, police, thème',
  '/branding#files': 'logo, favicon, font, upload logo, icon, schrift, police',
  '/branding#look': 'theme, colors, colours, dark mode, primary color, farben, couleurs, thème',
  '/branding/texts':
    'translations, translate, localization, i18n, wording, custom text, login texts, language of pages, übersetzungen, traductions',
  '/mail':
    'smtp, email provider, email, e-mail, sendgrid, mailgun, amazon ses, office 365, gmail, sender, outgoing mail, test email, mailserver, courriel, messagerie',
  '/mail#server':
    'smtp, email provider, email settings, sender address, from address, smtp password, starttls, mailserver, postausgang, serveur de messagerie',
  '/mail/texts':
    'email templates, email template, mail template, verification email, welcome email, invitation email, e-mail-vorlagen, modèles de courriel',
  '/mail/queue':
    'failed emails, undelivered, bounces, mail queue, email not sent, email not received, outbox, nicht angekommen, non distribués',
  '/mail/inbox': 'development inbox, test inbox, mailhog, mailpit, catch-all, see emails',
  '/sms': 'twilio, text messages, text message, sms provider, phone, sms gateway, textnachrichten, telefon, téléphone',
  '/webhooks':
    'webhook, event hooks, callbacks, http events, notifications, slack, zapier, subscribe, ereignisse, événements',
  '/actions':
    'hooks, custom claims, custom code, claims, token enrichment, rules, pipeline, scripts, extend, lambda, eigene claims, revendications',
  '/signals': 'ssf, caep, risc, shared signals framework, security events, continuous access, set stream',
  '/administrators':
    'admins, admin, admin roles, managers, iam owner, owners, rbac console, add administrator, administratorrollen, administrateurs',
  '/web-keys':
    'jwks, jwk, signing key, signing keys, key rotation, rotate keys, public key, rs256, es256, eddsa, kid, certificate, signaturschlüssel, clés de signature',
  '/audit':
    'audit log, audit logs, sign-in log, login history, logs, failed logins, failed sign-ins, why can’t a user sign in, activity, security log, anmeldeprotokoll, journal, historique',
  '/audit/events':
    'audit log, event log, events, history, changes, who changed, export log, siem, activity, ereignisse, änderungen, journal d’audit, événements',
  '/settings': 'configuration, instance, general, issuer, konfiguration, paramètres généraux',
  '/settings#instance':
    'issuer, public address, version, instance id, domain, custom domain, eigene domain, domaine personnalisé',
  '/settings#languages': 'default language, locale, localization, i18n, sprachen, langue',
  '/settings#security':
    'impersonation, impersonate, token exchange impersonation, iframe, embed, clickjacking, csp, frame ancestors, delete account, account deletion, gdpr, dsgvo, rgpd, right to erasure, usurpation, konto löschen, supprimer son compte',
  '/settings#api':
    'openapi, swagger, rest api, api documentation, api explorer, discovery, well-known, openid-configuration, jwks uri, endpoints, graphql, postman',
  '/settings/tokens': 'token lifetime, token expiration, token settings, jwt, lebensdauer, durée de vie',
  '/settings/tokens#lifetimes':
    'token lifetime, token expiration, token expiry, access token lifetime, refresh token, refresh token rotation, id token lifetime, jwt, exp, ttl, lebensdauer, durée de vie des jetons',
  '/settings/links':
    'privacy policy, terms of service, tos, imprint, legal, support email, gdpr, cookie policy, impressum, datenschutz, agb, mentions légales, cgu',
  '/settings/features': 'feature flags, beta, experimental, login v2, preview features',
  '/settings/import':
    'migrate, migration, keycloak, auth0, zitadel, okta migration, restore, move from, import realm, backup, umzug, migrer',
  '/web-keys/new': 'rotate keys, new signing key, key rotation',
  '/projects/new': 'add api, new api, new project, neues projekt, nouveau projet',
  '/organizations/new': 'new tenant, add tenant, new customer, add company, neuer mandant',
  '/sms/new': 'add twilio, new sms provider',
}

const WORDS_AT: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries(WORDS).map(([place, words]) => [place, words.split(', ')]),
)

/** The places that have words of their own. */
export const PLACES_WITH_WORDS: readonly string[] = [...WORDS_AT.keys()]

/** What people call a place, besides its names in the console. */
export function wordsFor(place: string): readonly string[] {
  return WORDS_AT.get(place) ?? []
}
