# An organization with a project, an application, a role and a machine user, the texts of its mails, and how long its codes are
# valid. The provider is the one for ZITADEL: Signet answers its calls.

terraform {
  required_providers {
    zitadel = {
      source = "zitadel/zitadel"
    }
  }
}

variable "domain" {
  description = "The host of Signet, without a scheme."
  default     = "localhost"
}

variable "token" {
  description = "A personal access token of an administrator, such as the text in data/admin.pat."
  sensitive   = true
}

provider "zitadel" {
  domain       = var.domain
  port         = "8080"
  insecure     = true
  access_token = var.token
}

resource "zitadel_org" "shop" {
  name = "Shop"
}

resource "zitadel_project" "web" {
  org_id                 = zitadel_org.shop.id
  name                   = "Web shop"
  project_role_assertion = true
}

resource "zitadel_project_role" "buyer" {
  org_id       = zitadel_org.shop.id
  project_id   = zitadel_project.web.id
  role_key     = "buyer"
  display_name = "Buyer"
}

resource "zitadel_application_oidc" "web" {
  org_id                    = zitadel_org.shop.id
  project_id                = zitadel_project.web.id
  name                      = "Web"
  redirect_uris             = ["https://shop.example.com/callback"]
  post_logout_redirect_uris = ["https://shop.example.com"]
  response_types            = ["OIDC_RESPONSE_TYPE_CODE"]
  grant_types               = ["OIDC_GRANT_TYPE_AUTHORIZATION_CODE"]
  auth_method_type          = "OIDC_AUTH_METHOD_TYPE_BASIC"
}

resource "zitadel_machine_user" "importer" {
  org_id    = zitadel_org.shop.id
  user_name = "importer"
  name      = "Importer"
}

resource "zitadel_notification_policy" "shop" {
  org_id          = zitadel_org.shop.id
  password_change = true
}

resource "zitadel_verify_email_message_text" "shop" {
  org_id   = zitadel_org.shop.id
  language = "en"
  subject  = "Confirm your address for the shop"
  greeting = "Hello {{.DisplayName}},"
  text     = "confirm your address with the code {{.Code}}."
}

resource "zitadel_instance_secret_generator" "password_reset" {
  generator_type        = "password_reset_code"
  length                = 8
  expiry                = "30m"
  include_upper_letters = true
  include_digits        = true
}
