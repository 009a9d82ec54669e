package annotations

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"strings"
	"testing"
)

type sandbox struct {
	ID       string `json:"id"`
	URL      string `json:"url"`
	Key      string `json:"key"`
	Projects []struct {
		ID int `json:"id"`
	} `json:"projects"`
}

// newSandbox creates a world of its own for a test, so that tests can run in parallel.
func newSandbox(t *testing.T) sandbox {
	t.Helper()
	sandboxes := os.Getenv("UNDERSTUDY_URL") + "/__admin/sandboxes"
	var created sandbox
	send(t, "POST", sandboxes, "", `{"from": "default"}`, &created)
	t.Cleanup(func() { send(t, "DELETE", sandboxes+"/"+created.ID, "", "", nil) })
	return created
}

func send(t *testing.T, method, url, key, body string, result any) {
	t.Helper()
	request, err := http.NewRequest(method, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Content-Type", "application/json")
	if key != "" {
		request.Header.Set("Authorization", "Bearer "+key)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	if response.StatusCode >= 300 {
		t.Fatalf("%s %s: %s", method, url, response.Status)
	}
	if result != nil {
		if err := json.NewDecoder(response.Body).Decode(result); err != nil {
			t.Fatal(err)
		}
	}
}

func TestSandboxStartsWithTheRowsOfTheWorld(t *testing.T) {
	for _, content := range []string{"Launch", "Größer 🦔"} {
		content := content
		t.Run(content, func(t *testing.T) {
			t.Parallel()
			world := newSandbox(t)
			annotations := fmt.Sprintf("%s/api/projects/%d/annotations/", world.URL, world.Projects[0].ID)

			send(t, "POST", annotations, world.Key, fmt.Sprintf(`{"content": %q}`, content), nil)
			var page struct{ Count int }
			send(t, "GET", annotations, world.Key, "", &page)

			if page.Count != 7 {
				t.Errorf("expected 7 annotations, got %d", page.Count)
			}
		})
	}
}
