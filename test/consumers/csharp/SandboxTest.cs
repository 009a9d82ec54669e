using System.Net.Http;
using System.Text;
using NUnit.Framework;

[TestFixture]
public class SandboxTest
{
    [TestCase("Launch")]
    [TestCase("Größer")]
    public void StartsWithTheRowsOfTheWorld(string content)
    {
        var sandbox = new Sandbox("starts with the rows: " + content);
        using (var http = new HttpClient())
        {
            var annotations = sandbox.Url + "/api/projects/1/annotations/";
            http.DefaultRequestHeaders.Add("Authorization", "Bearer " + sandbox.Key);
            var body = new StringContent("{\"content\": \"" + content + "\"}", Encoding.UTF8, "application/json");

            var created = http.PostAsync(annotations, body).Result;
            var page = http.GetStringAsync(annotations).Result;

            Assert.AreEqual(201, (int)created.StatusCode);
            StringAssert.StartsWith("{\"count\":7,", page);
        }
    }
}
