using System;
using System.Net.Http;

/// <summary>A world of its own for one test: new Sandbox("its name").Key</summary>
public sealed class Sandbox
{
    public readonly string Url = Environment.GetEnvironmentVariable("UNDERSTUDY_URL")
        ?? throw new Exception("Run the tests with npx ./understudy-api-0.1.0.tgz exec --");
    public readonly string Key = "phx_" + Guid.NewGuid(); // no other world has it

    public Sandbox(string name)
    {
        var json = "{\"name\": \"" + name + "\", \"ttl_s\": 600, \"keys\": [{\"label\": \"all\", \"value\": \"" + Key + "\"}]}";
        var body = new StringContent(json, null, "application/json");
        new HttpClient().PostAsync(Url + "/__admin/sandboxes", body).Result.EnsureSuccessStatusCode();
    }
}
