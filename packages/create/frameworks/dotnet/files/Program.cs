using Microsoft.AspNetCore.Authentication;
using Microsoft.AspNetCore.Authentication.Cookies;
using Microsoft.AspNetCore.Authentication.OpenIdConnect;
using Microsoft.IdentityModel.Protocols.OpenIdConnect;

var builder = WebApplication.CreateBuilder(args);
var settings = builder.Configuration;

builder.Services
    .AddAuthentication(options =>
    {
        options.DefaultScheme = CookieAuthenticationDefaults.AuthenticationScheme;
        options.DefaultChallengeScheme = OpenIdConnectDefaults.AuthenticationScheme;
    })
    .AddCookie()
    .AddOpenIdConnect(options =>
    {
        options.Authority = settings["ISSUER"];
        options.ClientId = settings["CLIENT_ID"];
        options.ClientSecret = settings["CLIENT_SECRET"];
        options.ResponseType = OpenIdConnectResponseType.Code;
        options.ResponseMode = OpenIdConnectResponseMode.Query;
        options.Scope.Add("email");
        options.GetClaimsFromUserInfoEndpoint = true;
        options.MapInboundClaims = false;
        options.TokenValidationParameters.NameClaimType = "name";
        options.SaveTokens = true;
        // Plain http is for a server on your own machine only.
        options.RequireHttpsMetadata = options.Authority?.StartsWith("https:") ?? true;
    });
builder.Services.AddAuthorization();

var app = builder.Build();
app.UseAuthentication();
app.UseAuthorization();

app.MapGet("/", (HttpContext context) => Results.Content(
    context.User.Identity?.IsAuthenticated == true
        ? "<h1>You are signed in</h1><a href=\"/profile\">Profile</a> <a href=\"/sign-out\">Sign out</a>"
        : "<h1>Please sign in</h1><a href=\"/profile\">Sign in</a>",
    "text/html"));

app.MapGet("/profile", (HttpContext context) => $"Hello {context.User.Identity?.Name}").RequireAuthorization();

app.MapGet("/sign-out", () => Results.SignOut(
    new AuthenticationProperties { RedirectUri = "/" },
    [CookieAuthenticationDefaults.AuthenticationScheme, OpenIdConnectDefaults.AuthenticationScheme]));

app.Run();
